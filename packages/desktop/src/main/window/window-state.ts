import { z } from 'zod';

export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const coordinateSchema = z.int().min(-100_000).max(100_000);

export const windowStateSchema = z.object({
  bounds: z.object({ x: coordinateSchema, y: coordinateSchema, width: coordinateSchema, height: coordinateSchema }),
  maximized: z.boolean(),
  /** Electron's zoom level: 0 is 100 %. */
  zoomLevel: z.number().min(-4).max(8),
});

export const MIN_SIZE = Object.freeze({ width: 420, height: 480 });
const DEFAULT_SIZE = Object.freeze({ width: 1280, height: 860 });

/**
 * Returns the bounds of a new window: the saved position and size if they are on a connected screen; otherwise only a
 * size, either the saved or the default size.
 */
export function fitWindowBounds(
  saved: Area | undefined,
  screens: readonly Area[],
): Partial<Area> & { readonly width: number; readonly height: number } {
  if (saved === undefined) return DEFAULT_SIZE;
  const size = { width: Math.max(MIN_SIZE.width, saved.width), height: Math.max(MIN_SIZE.height, saved.height) };
  const screen = screens.find(
    (each) =>
      saved.x < each.x + each.width - 80 &&
      saved.x + saved.width > each.x + 80 &&
      saved.y >= each.y &&
      saved.y < each.y + each.height - 80,
  );
  if (screen === undefined) return size;
  return {
    x: saved.x,
    y: saved.y,
    width: Math.min(size.width, screen.width),
    height: Math.min(size.height, screen.height),
  };
}
