import { expect } from 'chai';
import { buildDesktopEntry } from './desktop-entry.js';

describe('buildDesktopEntry', () => {
  const findExec = (...command: string[]): string | undefined => /^Exec=(.*)$/m.exec(buildDesktopEntry(command))?.[1];

  it('should start the program with its arguments', () => {
    expect(findExec('/opt/Countersign/countersign', '--background')).to.equal(
      '"/opt/Countersign/countersign" "--background"',
    );
  });

  it('should escape special characters in paths', () => {
    expect(findExec('/home/ada/My Apps/100%/a$b`c"d')).to.equal('"/home/ada/My Apps/100%%/a\\\\$b\\\\`c\\\\"d"');
    expect(findExec('/a\\b')).to.equal('"/a\\\\\\\\b"');
  });
});
