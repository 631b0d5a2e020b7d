// Mocha's timeouts are in seconds as they are measured on this machine (measure-second.mjs): `this.timeout(60_000)` waits a
// minute where a second takes a second, and three where it takes three.
import Mocha from 'mocha';
import { SECOND_VARIABLE } from './measure-second.mjs';

const secondMs = Number(process.env[SECOND_VARIABLE] ?? '1000');
if (!Number.isFinite(secondMs) || secondMs <= 0)
  throw new TypeError(`${SECOND_VARIABLE} is no number of milliseconds: ${process.env[SECOND_VARIABLE]}`);

const { timeout } = Mocha.Runnable.prototype;

// Only what is read is longer, since suites hand on to their tests what they were given.
Mocha.Runnable.prototype.timeout = function timeoutInMeasuredSeconds(...given) {
  return given.length === 0 ? (timeout.call(this) * secondMs) / 1_000 : timeout.apply(this, given);
};
