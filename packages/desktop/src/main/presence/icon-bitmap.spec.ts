import { expect } from 'chai';
import { badgeText, drawBadge, drawIcon, drawTemplate, ICON_LOOKS } from './icon-bitmap.js';

/** [blue, green, red, alpha] of a pixel. */
const pixel = (bytes: Buffer, size: number, x: number, y: number): number[] => [
  ...bytes.subarray((y * size + x) * 4, (y * size + x) * 4 + 4),
];

describe('the icons of the tray', () => {
  it('should be a shield with nothing around it', () => {
    const icon = drawIcon(22, ICON_LOOKS.onLight, 0);
    expect(icon).to.have.length(22 * 22 * 4);
    expect(pixel(icon, 22, 0, 0)).to.deep.equal([0, 0, 0, 0]);
    expect(pixel(icon, 22, 5, 6)).to.deep.equal([0xa6, 0x54, 0x33, 255]);
  });

  it('should be another one for each number up to nine, and the same for more', () => {
    const icons = Array.from({ length: 10 }, (_each, count) =>
      drawIcon(22, ICON_LOOKS.onDark, count).toString('base64'),
    );
    expect(new Set(icons)).to.have.property('size', 10);
    expect(drawIcon(22, ICON_LOOKS.onDark, 10)).to.deep.equal(drawIcon(22, ICON_LOOKS.onDark, 5_000));
    expect([0, 1, 9, 10].map(badgeText)).to.deep.equal(['', '1', '9', '9+']);
  });

  it('should be black with alpha alone for macOS', () => {
    const icon = drawTemplate(36);
    for (let at = 0; at < icon.length; at += 4) expect([...icon.subarray(at, at + 3)]).to.deep.equal([0, 0, 0]);
    expect(icon.some((byte) => byte === 255)).to.equal(true);
  });

  it('should be a number in a circle for Windows', () => {
    expect(pixel(drawBadge(16, 3), 16, 0, 0)[3]).to.equal(0);
    expect(drawBadge(16, 3)).not.to.deep.equal(drawBadge(16, 4));
  });
});
