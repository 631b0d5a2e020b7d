/**
 * A JSON text as a value that two texts have in common where they mean the same: each number is its decimal digits, of which
 * none is lost, as `JSON.parse` would. A fraction of up to 17 digits means the nearest double, as it does to those who
 * write doubles (RFC 8259, section 6); others are what they are. Nothing of it is code of Countersign.
 */
export function plainJson(text: string): unknown {
  const tagged = text.replaceAll(
    /"(?:[^"\\]|\\.)*"|(?<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/gs,
    (token: string, number: string | undefined) =>
      number === undefined ? token : JSON.stringify({ number: plainNumber(number) }),
  );
  return JSON.parse(tagged) as unknown;
}

const MAX_DIGITS_OF_A_DOUBLE = 17;
/** Above, it is written with an exponent, as fractions are. */
const MAX_DIGITS_OF_A_WHOLE_NUMBER = 21n;

/** The digits of a number and the power of ten of the last one: 1.10, 11e-1 and 1.1 are the same. */
export function plainNumber(text: string): string {
  const { digits, power, sign } = partsOf(text);
  const isWhole = power >= 0n && BigInt(digits.length) + power <= MAX_DIGITS_OF_A_WHOLE_NUMBER;
  if (digits.length > MAX_DIGITS_OF_A_DOUBLE || digits === '' || isWhole) return `${sign}${digits}e${power}`;
  const double = Number(text);
  // Beyond all doubles, and closer to zero than any.
  if (!Number.isFinite(double) || double === 0) return `${sign}${digits}e${power}`;
  const nearest = partsOf(String(double));
  return `${nearest.sign}${nearest.digits}e${nearest.power}`;
}

function partsOf(text: string): { sign: string; digits: string; power: bigint } {
  const {
    sign,
    whole = '',
    fraction = '',
    exponent = '0',
  } = /^(?<sign>-?)(?<whole>\d+)(?:\.(?<fraction>\d+))?(?:[eE](?<exponent>[+-]?\d+))?$/.exec(text)?.groups ?? {};
  const all = (whole + fraction).replace(/^0+/, '');
  const digits = all.replace(/0+$/, '');
  // Zero is zero, whatever its sign and its power.
  if (digits === '') return { sign: '', digits: '', power: 0n };
  const power = BigInt(exponent) - BigInt(fraction.length) + BigInt(all.length - digits.length);
  return { sign: sign ?? '', digits, power };
}
