/** Number of pages that are displayed. */
export const MAX_PAGES = 200;

/** Number of pixels of a page, for its memory: 4 bytes each. */
const MAX_CANVAS_PIXELS = 8_000_000;

/** A page that is taller than this many times its width, or wider, is not displayed. */
const MAX_ASPECT_RATIO = 20;

/** Number of text items of a page that can be selected. */
export const MAX_TEXT_ITEMS = 5_000;

/** Pixels of an image in a PDF. */
export const MAX_IMAGE_PIXELS = 32_000_000;

/** Time in which a PDF must open, or a page must be drawn, in milliseconds. */
export const MAX_WORK_MS = 20_000;

/** A width and height. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Returns whether a page has a size in which it can be displayed. */
export function hasUsableSize({ width, height }: Size): boolean {
  return width > 0 && height > 0 && width / height <= MAX_ASPECT_RATIO && height / width <= MAX_ASPECT_RATIO;
}

/**
 * Returns the size of a page on the screen, in CSS pixels: as large as on paper, if the width permits it.
 *
 * @param page size of the page on paper, in CSS pixels
 * @param availableWidth width of the view, in CSS pixels
 * @param zoom factor by which the page is enlarged
 */
export function fitPage(page: Size, availableWidth: number, zoom: number): Size {
  const width = Math.max(1, Math.min(page.width, availableWidth) * zoom);
  return { width, height: (width * page.height) / page.width };
}

/** Returns the number of pixels per CSS pixel in which a page is drawn: that of the screen, if the memory permits it. */
export function choosePixelRatio({ width, height }: Size, devicePixelRatio: number): number {
  return Math.min(Math.max(devicePixelRatio, 1), Math.sqrt(MAX_CANVAS_PIXELS / (width * height)));
}
