import { texts } from '../../texts/index.js';

const { bytes, ...LARGER_UNITS } = texts.artifacts.units;

/** Formats a number of bytes with a binary unit: `512 B`, `1.5 KiB`, `20 MiB`. */
export function formatBytes(size: number): string {
  let amount = size;
  let unit: string = bytes;
  for (const largerUnit of Object.values(LARGER_UNITS)) {
    if (amount < 1024) break;
    amount /= 1024;
    unit = largerUnit;
  }
  return texts.artifacts.sizeOf(
    String(unit === bytes || amount >= 10 ? Math.round(amount) : Number(amount.toFixed(1))),
    unit,
  );
}
