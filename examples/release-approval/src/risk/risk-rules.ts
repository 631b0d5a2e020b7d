/**
 * The weights of the risk factors of a release. They are chosen for the built-in policy, where a sum of 25 is medium,
 * 50 high and 80 critical (packages/plugins/policy-cedar).
 */
export const RISK_RULES = Object.freeze({
  /** Thresholds for the number of added and removed lines, without lock files; the highest one reached applies. */
  size: Object.freeze([
    Object.freeze({ from: 5000, weight: 30 }),
    Object.freeze({ from: 1000, weight: 20 }),
    Object.freeze({ from: 200, weight: 10 }),
  ]),
  weights: Object.freeze({
    pipeline: 20,
    migrations: 25,
    security: 25,
    dependencies: 15,
    deployment: 15,
    testsMissing: 20,
    testsRemoved: 20,
    breaking: 25,
    unreadable: 10,
    submodules: 15,
    fileModes: 10,
    diverged: 30,
  }),
});
