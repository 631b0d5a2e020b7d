import { expect } from 'chai';
import { preferencesSchema } from '../../common/presence.js';
import { acceleratorOf, acceleratorText } from './accelerator.js';

const press = (code: string, ...held: readonly string[]) => ({
  code,
  key: '',
  ctrlKey: held.includes('ctrl'),
  metaKey: held.includes('meta'),
  altKey: held.includes('alt'),
  shiftKey: held.includes('shift'),
});

describe('the global shortcut that opens the window', () => {
  it('should consist of two modifiers and a key, identified by its position on the keyboard', () => {
    expect(acceleratorOf(press('KeyA', 'ctrl', 'shift'))).to.equal('CommandOrControl+Shift+A');
    expect(acceleratorOf(press('Digit1', 'meta', 'alt', 'shift'))).to.equal('CommandOrControl+Alt+Shift+1');
    expect(acceleratorOf(press('F12', 'alt', 'shift'))).to.equal('Alt+Shift+F12');
  });

  it('should not be a reserved or incomplete combination', () => {
    for (const pressed of [
      press('KeyA'),
      press('KeyC', 'ctrl'),
      press('F5', 'alt'),
      press('ShiftLeft', 'ctrl', 'shift'),
      press('Space', 'ctrl', 'shift'),
      press('F13', 'ctrl', 'shift'),
    ])
      expect(acceleratorOf(pressed), pressed.code).to.equal(undefined);
  });

  it('should be accepted by the preferences of the main process', () => {
    const shape = preferencesSchema.shape.shortcut;
    for (const held of [
      ['ctrl', 'shift'],
      ['ctrl', 'alt'],
      ['alt', 'shift'],
      ['ctrl', 'alt', 'shift'],
    ])
      for (const code of ['KeyA', 'Digit0', 'F1', 'F12'])
        expect(shape.safeParse(acceleratorOf(press(code, ...held))).success, `${held.join()} ${code}`).to.equal(true);
  });

  it('should be displayed with the key names of the platform', () => {
    expect(acceleratorText('CommandOrControl+Shift+A', false)).to.equal('Ctrl + Shift + A');
    expect(acceleratorText('CommandOrControl+Alt+Shift+A', true)).to.equal('⌘ ⌥ ⇧ A');
  });
});
