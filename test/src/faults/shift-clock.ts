/** Loaded before a server process: shifts its clock by SHIFT_CLOCK_MS. */
const shiftMs = Number(process.env['SHIFT_CLOCK_MS']);
// eslint-disable-next-line no-restricted-syntax -- this module shifts the clock
const trueNow = Date.now.bind(Date);
const now = (): number => trueNow() + shiftMs;

globalThis.Date = new Proxy(Date, {
  construct: (target, dateArguments: unknown[], newTarget) =>
    Reflect.construct(target, dateArguments.length === 0 ? [now()] : dateArguments, newTarget) as Date,
  apply: (target) => new target(now()).toString(),
  get: (target, key) => (key === 'now' ? now : (Reflect.get(target, key) as unknown)),
});
