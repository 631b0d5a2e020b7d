import { expect } from 'chai';
import { confirmInSequence, type ConfirmationPrompt } from './confirm.js';

const createPrompt = (message: string): ConfirmationPrompt => ({ title: '', message, detail: '', confirmLabel: 'Yes' });

describe('confirmInSequence', () => {
  it('should show one prompt at a time and return the choice for each prompt', async () => {
    // given
    const shown: { readonly message: string; answer(yes: boolean): void }[] = [];
    const ask = confirmInSequence(({ message }) => new Promise((resolve) => shown.push({ message, answer: resolve })));
    const [first, second] = [ask(createPrompt('1')), ask(createPrompt('2'))];
    await Promise.resolve();

    // then
    expect(shown.map(({ message }) => message)).to.deep.equal(['1']);
    shown[0]?.answer(false);
    expect(await first).to.equal(false);
    await new Promise(setImmediate);
    expect(shown.map(({ message }) => message)).to.deep.equal(['1', '2']);
    shown[1]?.answer(true);
    expect(await second).to.equal(true);
  });

  it('should decline prompts while the queue is full and show prompts again afterwards', async () => {
    let shown = 0;
    let closeDialogs: () => void = () => undefined;
    const closed = new Promise<void>((resolve) => (closeDialogs = resolve));
    const ask = confirmInSequence(() => {
      shown += 1;
      return closed.then(() => true);
    });
    const answers = Array.from({ length: 50 }, (_, index) => ask(createPrompt(String(index))));
    closeDialogs();
    expect((await Promise.all(answers)).filter((yes) => yes)).to.have.length(6);
    expect(shown).to.equal(6);
    expect(await ask(createPrompt('later'))).to.equal(true);
  });

  it('should show the next prompt after a dialog failed', async () => {
    let isFailing = true;
    const ask = confirmInSequence(() =>
      isFailing ? Promise.reject(new Error('The dialog failed.')) : Promise.resolve(true),
    );
    const failed = await ask(createPrompt('1')).catch((error: Error) => error.message);
    isFailing = false;
    expect([failed, await ask(createPrompt('2'))]).to.deep.equal(['The dialog failed.', true]);
  });
});
