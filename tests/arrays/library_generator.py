"""Random programs with functions of the library between array expressions, reshaped arrays with names, masks beside
other indices, and functions that change arrays."""

from __future__ import annotations

from tests.arrays.generator import Generator


class LibraryGenerator(Generator):
    """Makes the source of one program from a seed."""

    def statement(self) -> list[str]:
        own = (self.reshaped, self.reshaped, self.columns, self.changed, self.positions, self.halves, self.in_a_loop)
        return self.random.choice(own)() if self.random.random() < 0.55 else super().statement()

    def vector(self, depth: int) -> str:
        if depth == 0 or self.random.random() < 0.6:
            return super().vector(depth)
        a, b = self.vector(depth - 1), self.random.choice(self.vectors)
        return self.random.choice((
            f"np.sort({b})", f"np.sort({a} + {b})[::-1]", f"{b}[np.argsort({b}, kind='stable')]",
            f"np.maximum.accumulate({b})",
            f"np.interp({b}, np.arange(len(a)), np.sort({b}))", f"np.convolve({b}, [1, 2], 'same')[: len(a)]",
            f"({b} + np.median({b}))", f"np.pad({b}, 1)[1:-1]", f"np.repeat({b}, 2)[::2]", f"np.tile({b}, 2)[len(a):]",
            f"np.select([{self.mask()}], [{b}], 3)", f"np.cumprod({b} * 0 + 1)", f"np.diag(np.diagflat({b}))",
            f"({b} + np.searchsorted(np.sort({b}), 0.5))", f"np.nan_to_num({b})", f"({b} + np.isin({b}, [0, 1]))",
            f"np.take({b}, np.arange(len(a)))", f"np.unique({b}, return_inverse=True)[1]", f"np.triu(m, 1)[0] * {b}",
            f"np.einsum('i,i->i', {b}, {b})", f"(np.bincount(np.abs(i))[0] + {b})", f"np.r_[{b}[1:], {b}[:1]]",
            f"np.c_[{b}, {b}][:, 1]", f"np.ravel(np.stack(({b}, {b}), axis=1))[::2]",
        ))  # fmt: skip

    def reshaped(self) -> list[str]:
        """A name for another shape of an array, and perhaps a write to one of the two."""
        base = self.random.choice((*self.vectors, "(a + b)", "m[0]"))
        name = f"s{self.count}"
        self.count += 1
        lines = [f"{name} = {base}.reshape({self.random.choice(('1, -1', '-1, 1', 'len(a), 1'))})"]
        lines += self.random.choice(([], [], [f"{name}[0, 0] = 5"], ["a[0] = 3"], ["b[1:] += 1"]))
        kept = self.fresh(self.vectors)
        return [*lines, f"{kept} = {name}.ravel() * 2 + {self.random.choice(self.vectors)}"]

    def columns(self) -> list[str]:
        mask = f"m[0] > {self.random.choice(('0', '0.5', 'x'))}"
        return self.random.choice((
            [f"m[:, {mask}] = 1.5"], [f"m[:, {mask}] *= 2"], [f"m[-1, {mask}] += 1"],
            [f"m[[0, -1], {mask.replace('m[0]', 'a[:1]')}] = 2"],
            [f"x = x + float(m[:, {mask}].size)"], ["m[[0]] = m[[-1]]"],
            [f"{self.fresh(self.matrices)} = m[[0, 0, -1]][:, np.argsort(a)][-m.shape[0]:]"],
        ))  # fmt: skip

    def changed(self) -> list[str]:
        name = self.float_vector()
        return self.random.choice((
            [f"{name}.sort()"], [f"np.add.at({name}, np.abs(i) % len(a), 0.5)"], [f"np.put({name}, [0], [2.5])"],
            [f"np.copyto({name}, {self.random.choice(self.vectors)}, casting='unsafe')"], ["np.fill_diagonal(m, 1)"],
            ["np.sort(m, axis=1, kind='stable'); m[0].sort()"], [f"np.add({name}, 1, out={name}, where={name} > 0)"],
        ))  # fmt: skip

    def positions(self) -> list[str]:
        return [f"x = x + float(np.flatnonzero({self.mask()}).size) + np.argwhere(m > 0).shape[0]"]

    def halves(self) -> list[str]:
        name = self.random.choice(self.vectors)
        kept = self.fresh(self.vectors)
        change = self.random.choice(([], [], ["first[:1] = 4"], ["b[:] = 1"]))
        return [f"first, second = np.array_split({name}, 2)", *change, f"{kept} = np.concatenate((second, first)) * 2"]

    def in_a_loop(self) -> list[str]:
        name = self.float_vector()
        change = self.random.choice((f"{name}[0] += 1", "rows[0, 0] = k", f"{name} = {name} + 1", "pass"))
        return [
            "for k in range(3):",
            f"    rows = {name}.reshape(1, -1)",
            f"    {change}",
            "    x = x + rows[0, 0] + rows.max()",
        ]
