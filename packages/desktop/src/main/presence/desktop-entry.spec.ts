import { expect } from 'chai';
import { desktopEntry } from './desktop-entry.js';

describe('desktopEntry', () => {
  const execOf = (...command: string[]): string | undefined => /^Exec=(.*)$/m.exec(desktopEntry(command))?.[1];

  it('should start the program with its arguments', () => {
    expect(execOf('/opt/Countersign/countersign', '--background')).to.equal(
      '"/opt/Countersign/countersign" "--background"',
    );
  });

  it('should escape special characters in paths', () => {
    expect(execOf('/home/ada/My Apps/100%/a$b`c"d')).to.equal('"/home/ada/My Apps/100%%/a\\\\$b\\\\`c\\\\"d"');
    expect(execOf('/a\\b')).to.equal('"/a\\\\\\\\b"');
  });
});
