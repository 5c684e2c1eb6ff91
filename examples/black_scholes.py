"""Prices of European options by the formula of Black and Scholes."""

import math

import numpy as np

import weft


def normal_distribution(x: float) -> float:
    """Give the probability that a standard normal variable is below x (Abramowitz and Stegun 26.2.17)."""
    k = 1.0 / (1.0 + 0.2316419 * abs(x))
    tail = k * (0.319381530 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))))
    tail *= math.exp(-0.5 * x * x) / math.sqrt(2.0 * math.pi)
    return 1.0 - tail if x > 0.0 else tail


@weft.jit
def black_scholes(
    price: np.ndarray,
    strike: np.ndarray,
    years: np.ndarray,
    rate: float,
    volatility: float,
    call: np.ndarray,
    put: np.ndarray,
) -> None:
    """Write what the right to buy (call) and to sell (put) at the strike price is worth, for each option."""
    for i in range(price.shape[0]):
        spread = volatility * math.sqrt(years[i])
        d1 = (math.log(price[i] / strike[i]) + (rate + 0.5 * volatility * volatility) * years[i]) / spread
        d2 = d1 - spread
        later = strike[i] * math.exp(-rate * years[i])
        call[i] = price[i] * normal_distribution(d1) - later * normal_distribution(d2)
        put[i] = later * normal_distribution(-d2) - price[i] * normal_distribution(-d1)


if __name__ == "__main__":
    price = np.array([95.0, 100.0, 105.0])
    strike, years = np.full(3, 100.0), np.full(3, 0.5)
    call, put = np.zeros(3), np.zeros(3)
    black_scholes(price, strike, years, 0.02, 0.3, call, put)
    for row in zip(price, call, put, strict=True):
        print("share at {:.2f}: call {:.2f}, put {:.2f}".format(*row))
