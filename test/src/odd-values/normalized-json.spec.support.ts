/**
 * Parses JSON to a value that is equal for texts with the same meaning. Numbers keep all their decimal digits, unlike
 * with `JSON.parse`. A fraction of up to 17 digits means the nearest double, as for writers of doubles (RFC 8259,
 * section 6); other numbers keep their exact value. The function does not use code of Countersign, which it helps to
 * test.
 */
export function parseNormalizedJson(text: string): unknown {
  const tagged = text.replaceAll(
    /"(?:[^"\\]|\\.)*"|(?<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/gs,
    (token: string, number: string | undefined) =>
      number === undefined ? token : JSON.stringify({ number: normalizeNumber(number) }),
  );
  return JSON.parse(tagged) as unknown;
}

const MAX_DOUBLE_DIGITS = 17;
/** Larger numbers are written with an exponent, like fractions. */
const MAX_INTEGER_DIGITS = 21n;

/** Returns the digits of a number and the power of ten of the last digit: 1.10, 11e-1 and 1.1 are equal. */
export function normalizeNumber(text: string): string {
  const { digits, power, sign } = parseNumber(text);
  const isWhole = power >= 0n && BigInt(digits.length) + power <= MAX_INTEGER_DIGITS;
  if (digits.length > MAX_DOUBLE_DIGITS || digits === '' || isWhole) return `${sign}${digits}e${power}`;
  const double = Number(text);
  // The number is outside the range of doubles.
  if (!Number.isFinite(double) || double === 0) return `${sign}${digits}e${power}`;
  const nearest = parseNumber(String(double));
  return `${nearest.sign}${nearest.digits}e${nearest.power}`;
}

function parseNumber(text: string): { sign: string; digits: string; power: bigint } {
  const {
    sign,
    whole: integerDigits = '',
    fraction = '',
    exponent = '0',
  } = /^(?<sign>-?)(?<whole>\d+)(?:\.(?<fraction>\d+))?(?:[eE](?<exponent>[+-]?\d+))?$/.exec(text)?.groups ?? {};
  const allDigits = (integerDigits + fraction).replace(/^0+/, '');
  const digits = allDigits.replace(/0+$/, '');
  // Zero is zero, regardless of its sign and power.
  if (digits === '') return { sign: '', digits: '', power: 0n };
  const power = BigInt(exponent) - BigInt(fraction.length) + BigInt(allDigits.length - digits.length);
  return { sign: sign ?? '', digits, power };
}
