/* Spheres with one light and its shadows, eight pixels at once in the lanes of a vector. */
#include "lanes.h"
#include "pool.h"

struct scene {
    const double *spheres, *light;
    double *image;
    int64_t count, height, width;
};

struct vec3 {
    f64x8 x, y, z;
};

static inline f64x8 dot(struct vec3 a, struct vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static inline struct vec3 nearest_sphere(const struct scene *s, struct vec3 ray, f64x8 *distance, struct vec3 *centre,
                                         f64x8 *radius, i64x8 *hit) {
    for (int64_t k = 0; k < s->count; k++) {
        const double *sphere = s->spheres + 4 * k;
        struct vec3 c = {splat(sphere[0]), splat(sphere[1]), splat(sphere[2])};
        f64x8 along = dot(ray, c);
        f64x8 square = along * along - (dot(c, c) - sphere[3] * sphere[3]);
        f64x8 t = along - square_root(choose((i64x8)(square > 0.0), square, splat(0.0)));
        i64x8 better = (i64x8)(square > 0.0) & (i64x8)(t > 1e-4) & (i64x8)(t < *distance);
        if (!any(better)) continue;
        *distance = choose(better, t, *distance);
        centre->x = choose(better, c.x, centre->x);
        centre->y = choose(better, c.y, centre->y);
        centre->z = choose(better, c.z, centre->z);
        *radius = choose(better, splat(sphere[3]), *radius);
        *hit |= better;
    }
    return (struct vec3){*distance * ray.x, *distance * ray.y, *distance * ray.z};
}

static inline i64x8 in_shadow(const struct scene *s, struct vec3 point, struct vec3 light, i64x8 asked) {
    i64x8 shadow = {0};
    for (int64_t k = 0; k < s->count; k++) {
        const double *sphere = s->spheres + 4 * k;
        struct vec3 to = {sphere[0] - point.x, sphere[1] - point.y, sphere[2] - point.z};
        f64x8 along = dot(light, to);
        f64x8 square = along * along - (dot(to, to) - sphere[3] * sphere[3]);
        f64x8 t = along - square_root(choose((i64x8)(square > 0.0), square, splat(0.0)));
        shadow |= (i64x8)(square > 0.0) & (i64x8)(t > 1e-4);
        if (!any(asked & ~shadow)) break;
    }
    return shadow;
}

static inline f64x8 shade(const struct scene *s, struct vec3 ray) {
    const double *l = s->light;
    struct vec3 light = {splat(l[0]), splat(l[1]), splat(l[2])}, centre = {splat(0.0), splat(0.0), splat(0.0)};
    f64x8 distance = splat(1e30), radius = splat(1.0), sky = 0.5 + 0.3 * ray.y;
    i64x8 hit = {0};
    struct vec3 point = nearest_sphere(s, ray, &distance, &centre, &radius, &hit);
    if (!any(hit)) return sky;
    struct vec3 normal = {(point.x - centre.x) / radius, (point.y - centre.y) / radius, (point.z - centre.z) / radius};
    f64x8 diffuse = dot(normal, light);
    i64x8 lit = hit & (i64x8)(diffuse > 0.0);
    if (any(lit)) lit &= ~in_shadow(s, point, light, lit);
    return choose(hit, choose(lit, 0.1 + 0.9 * diffuse, splat(0.1)), sky);
}

static void trace_rows(int64_t begin, int64_t end, void *context) {
    const struct scene *s = context;
    double width = (double)s->width, height = (double)s->height;
    for (int64_t y = begin; y < end; y++)
        for (int64_t x = 0; x < s->width; x += LANES) {
            f64x8 column;
            for (int lane = 0; lane < LANES; lane++) column[lane] = (double)(x + lane);
            f64x8 u = 2.0 * (column + 0.5) / width - 1.0, v = splat(1.0 - 2.0 * ((double)y + 0.5) / height);
            f64x8 scale = 1.0 / square_root(u * u + v * v + 1.0);
            int64_t count = s->width - x < LANES ? s->width - x : LANES;
            store_lanes(s->image + y * s->width + x, 1, count, shade(s, (struct vec3){u * scale, v * scale, scale}));
        }
}

void raytracer(const double *spheres, const double *light, double *image, int64_t count, int64_t height,
               int64_t width) {
    KERNEL;
    parallel_for(height, 1 + 2000 / width, trace_rows, &(struct scene){spheres, light, image, count, height, width});
}
