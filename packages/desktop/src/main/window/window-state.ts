import { z } from 'zod';

export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const whole = z.int().min(-100_000).max(100_000);

export const windowStateSchema = z.object({
  bounds: z.object({ x: whole, y: whole, width: whole, height: whole }),
  maximized: z.boolean(),
  /** Electron's zoom level: 0 is 100 %. */
  zoomLevel: z.number().min(-4).max(8),
});

export const SMALLEST = Object.freeze({ width: 420, height: 480 });
const USUAL = Object.freeze({ width: 1280, height: 860 });

/** Returns the bounds of the window: its last position, if that is on a screen now, otherwise the default size. */
export function boundsOf(
  kept: Area | undefined,
  screens: readonly Area[],
): Partial<Area> & { readonly width: number; readonly height: number } {
  if (kept === undefined) return USUAL;
  const size = { width: Math.max(SMALLEST.width, kept.width), height: Math.max(SMALLEST.height, kept.height) };
  const screen = screens.find(
    (each) =>
      kept.x < each.x + each.width - 80 &&
      kept.x + kept.width > each.x + 80 &&
      kept.y >= each.y &&
      kept.y < each.y + each.height - 80,
  );
  if (screen === undefined) return size;
  return {
    x: kept.x,
    y: kept.y,
    width: Math.min(size.width, screen.width),
    height: Math.min(size.height, screen.height),
  };
}
