import { nativeImage, type NativeImage } from 'electron';
import { badgeText, drawBadge, drawIcon, drawTemplate, ICON_LOOKS } from './icon-bitmap.js';

/** As sharp as screens are. */
const SCALES = [1, 1.25, 1.5, 2, 3] as const;

const made = new Map<string, NativeImage>();

/** The icon of the tray in the size of the platform. @param dark whether the desktop is */
export function trayIcon(count: number, dark: boolean): NativeImage {
  if (process.platform === 'darwin') return templateIcon();
  // Linux has one image alone, which panels make smaller as they need it.
  const [size, scales] = process.platform === 'win32' ? ([16, SCALES] as const) : ([44, [1]] as const);
  return kept(`tray ${badgeText(count)} ${dark}`, size, scales, (pixels) =>
    drawIcon(pixels, dark ? ICON_LOOKS.onDark : ICON_LOOKS.onLight, count),
  );
}

/** The number for the corner of the button in the task bar of Windows. */
export function overlayIcon(count: number): NativeImage {
  return kept(`overlay ${badgeText(count)}`, 16, SCALES, (pixels) => drawBadge(pixels, count));
}

function templateIcon(): NativeImage {
  const image = kept('template', 18, [1, 2], drawTemplate);
  image.setTemplateImage(true);
  return image;
}

function kept(name: string, size: number, scales: readonly number[], draw: (pixels: number) => Buffer): NativeImage {
  const known = made.get(name);
  if (known !== undefined) return known;
  const image = nativeImage.createEmpty();
  for (const scaleFactor of scales) {
    const pixels = Math.round(size * scaleFactor);
    const drawn = nativeImage.createFromBitmap(draw(pixels), { width: pixels, height: pixels });
    image.addRepresentation({ scaleFactor, width: pixels, height: pixels, buffer: drawn.toPNG() });
  }
  made.set(name, image);
  return image;
}
