import { expect } from 'chai';
import { StatusMessages } from './status-messages.js';

describe('StatusMessages', () => {
  it('should replace the displayed message by a newer one, also by one with the same text', () => {
    // given
    const messages = new StatusMessages();
    const shown: (number | undefined)[] = [];
    messages.subscribe(() => shown.push(messages.getCurrent()?.id));

    // when
    messages.show('Counted.');
    messages.show('Counted.');

    // then
    expect(messages.getCurrent()?.text).to.equal('Counted.');
    expect(new Set(shown).size).to.equal(2);
  });

  it('should hide a message only if no newer one has replaced it', () => {
    // given
    const messages = new StatusMessages();
    messages.show('First.');
    const first = messages.getCurrent();
    messages.show('Second.');
    const second = messages.getCurrent();

    // when, then
    messages.hide(first ?? expect.fail('The first message was not displayed.'));
    expect(messages.getCurrent()?.text).to.equal('Second.');
    messages.hide(second ?? expect.fail('The second message was not displayed.'));
    expect(messages.getCurrent()).to.equal(undefined);
  });
});
