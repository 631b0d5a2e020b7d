import { texts } from '../../texts/index.js';

const { bytes, ...LARGER } = texts.artifacts.units;

/** `512 B`, `1.5 KiB`, `20 MiB`. */
export function formatBytes(size: number): string {
  let rest = size;
  let unit: string = bytes;
  for (const next of Object.values(LARGER)) {
    if (rest < 1024) break;
    rest /= 1024;
    unit = next;
  }
  return texts.artifacts.sizeOf(
    String(unit === bytes || rest >= 10 ? Math.round(rest) : Number(rest.toFixed(1))),
    unit,
  );
}
