// Scales Mocha's timeouts to the second that was measured on this machine (measure-second.mjs): `this.timeout(60_000)`
// waits for a minute on the reference machine, and for three minutes on a machine that is three times slower.
import Mocha from 'mocha';
import { SECOND_VARIABLE } from './measure-second.mjs';

const secondMs = Number(process.env[SECOND_VARIABLE] ?? '1000');
if (!Number.isFinite(secondMs) || secondMs <= 0)
  throw new TypeError(
    `${SECOND_VARIABLE} must be a positive number of milliseconds, but is "${process.env[SECOND_VARIABLE]}".`,
  );

const { timeout } = Mocha.Runnable.prototype;

// Scales a timeout only when it is read: suites pass the timeout that was set to their tests, which would scale it
// again.
Mocha.Runnable.prototype.timeout = function timeoutInMeasuredSeconds(...args) {
  return args.length === 0 ? (timeout.call(this) * secondMs) / 1_000 : timeout.apply(this, args);
};
