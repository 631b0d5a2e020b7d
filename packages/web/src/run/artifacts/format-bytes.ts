const UNITS = ['KiB', 'MiB', 'GiB'] as const;

/** `512 B`, `1.5 KiB`, `20 MiB`. */
export function formatBytes(bytes: number): string {
  let size = bytes;
  let unit = 'B';
  for (const next of UNITS) {
    if (size < 1024) break;
    size /= 1024;
    unit = next;
  }
  return `${unit === 'B' || size >= 10 ? Math.round(size) : Number(size.toFixed(1))} ${unit}`;
}
