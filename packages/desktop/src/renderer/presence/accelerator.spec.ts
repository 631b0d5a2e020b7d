import { expect } from 'chai';
import { preferencesSchema } from '../../common/presence.js';
import { toAccelerator, formatAccelerator } from './accelerator.js';

const createKeyPress = (code: string, ...modifiers: readonly string[]) => ({
  code,
  key: '',
  ctrlKey: modifiers.includes('ctrl'),
  metaKey: modifiers.includes('meta'),
  altKey: modifiers.includes('alt'),
  shiftKey: modifiers.includes('shift'),
});

describe('the global shortcut that opens the window', () => {
  it('should consist of at least two modifiers and a key, which is identified by its position on the keyboard', () => {
    expect(toAccelerator(createKeyPress('KeyA', 'ctrl', 'shift'))).to.equal('CommandOrControl+Shift+A');
    expect(toAccelerator(createKeyPress('Digit1', 'meta', 'alt', 'shift'))).to.equal('CommandOrControl+Alt+Shift+1');
    expect(toAccelerator(createKeyPress('F12', 'alt', 'shift'))).to.equal('Alt+Shift+F12');
  });

  it('should not be a reserved or incomplete combination', () => {
    for (const keyPress of [
      createKeyPress('KeyA'),
      createKeyPress('KeyC', 'ctrl'),
      createKeyPress('F5', 'alt'),
      createKeyPress('ShiftLeft', 'ctrl', 'shift'),
      createKeyPress('Space', 'ctrl', 'shift'),
      createKeyPress('F13', 'ctrl', 'shift'),
    ])
      expect(toAccelerator(keyPress), keyPress.code).to.equal(undefined);
  });

  it('should be accepted by the preferences of the main process', () => {
    const shortcutSchema = preferencesSchema.shape.shortcut;
    for (const modifiers of [
      ['ctrl', 'shift'],
      ['ctrl', 'alt'],
      ['alt', 'shift'],
      ['ctrl', 'alt', 'shift'],
    ])
      for (const code of ['KeyA', 'Digit0', 'F1', 'F12'])
        expect(
          shortcutSchema.safeParse(toAccelerator(createKeyPress(code, ...modifiers))).success,
          `${modifiers.join()} ${code}`,
        ).to.equal(true);
  });

  it('should be displayed with the key names of the platform', () => {
    expect(formatAccelerator('CommandOrControl+Shift+A', false)).to.equal('Ctrl + Shift + A');
    expect(formatAccelerator('CommandOrControl+Alt+Shift+A', true)).to.equal('⌘ ⌥ ⇧ A');
  });
});
