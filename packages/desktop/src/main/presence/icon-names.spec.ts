import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { getOverlayIconName, getTrayIconName } from './icon-names.js';

/** Directory of the icons that the build generates. */
const ICONS_DIRECTORY = fileURLToPath(new URL('../../../app/icons', import.meta.url));
const COUNTS = Array.from({ length: 11 }, (_each, count) => count);
const WINDOWS_ICON_SIZES: Readonly<Record<string, number>> = {
  '': 16,
  '@1.25x': 20,
  '@1.5x': 24,
  '@2x': 32,
  '@3x': 48,
};

const listTrayIconNames = (platform: NodeJS.Platform): string[] => [
  ...new Set([true, false].flatMap((dark) => COUNTS.map((count) => getTrayIconName(platform, count, dark)))),
];

describe('tray icons', () => {
  it('should differ for each number up to nine and be the same for all larger numbers', () => {
    expect(listTrayIconNames('win32')).to.have.length(22);
    expect(getTrayIconName('linux', 10, true))
      .to.equal(getTrayIconName('linux', 5_000, true))
      .and.not.equal(getTrayIconName('linux', 9, true));
    expect(getTrayIconName('linux', 3, true)).not.to.equal(getTrayIconName('linux', 3, false));
  });

  it('should have no number on macOS, which displays the number beside the icon', () => {
    expect(listTrayIconNames('darwin')).to.deep.equal(['trayTemplate']);
  });

  it('should match the files that the build generates, with the sizes of each platform', () => {
    // given
    const expected = new Map<string, number>();
    const expectEach = (names: readonly string[], sizes: Readonly<Record<string, number>>): void => {
      for (const name of names)
        for (const [scale, size] of Object.entries(sizes)) expected.set(`${name}${scale}.png`, size);
    };
    expectEach([...listTrayIconNames('win32'), ...COUNTS.slice(1).map(getOverlayIconName)], WINDOWS_ICON_SIZES);
    expectEach(listTrayIconNames('linux'), { '': 44 });
    expectEach(listTrayIconNames('darwin'), { '': 18, '@2x': 36 });

    // when
    const icons = readdirSync(ICONS_DIRECTORY).map((file) => ({
      file,
      png: readFileSync(join(ICONS_DIRECTORY, file)),
    }));

    // then
    expect(new Map(icons.map(({ file, png }) => [file, png.readUInt32BE(16)]))).to.deep.equal(expected);
    for (const { file, png } of icons) expect(png.readUInt32BE(20), file).to.equal(expected.get(file));
    expect(new Set(icons.map(({ png }) => png.toString('base64'))), 'no two icons are identical').to.have.property(
      'size',
      icons.length,
    );
  });
});
