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

describe('the keys that open the window', () => {
  it('should be two that are held and one more, by where it is on the keyboard', () => {
    expect(acceleratorOf(press('KeyA', 'ctrl', 'shift'))).to.equal('CommandOrControl+Shift+A');
    expect(acceleratorOf(press('Digit1', 'meta', 'alt', 'shift'))).to.equal('CommandOrControl+Alt+Shift+1');
    expect(acceleratorOf(press('F12', 'alt', 'shift'))).to.equal('Alt+Shift+F12');
  });

  it('should be none that others are used by, or that are nothing yet', () => {
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

  it('should all be taken by the main process', () => {
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

  it('should be told as the keyboard has them', () => {
    expect(acceleratorText('CommandOrControl+Shift+A', false)).to.equal('Ctrl + Shift + A');
    expect(acceleratorText('CommandOrControl+Alt+Shift+A', true)).to.equal('⌘ ⌥ ⇧ A');
  });
});
