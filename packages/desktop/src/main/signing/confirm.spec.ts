import { expect } from 'chai';
import { confirmInSequence, type ConfirmationPrompt } from './confirm.js';

const question = (message: string): ConfirmationPrompt => ({ title: '', message, detail: '', confirm: 'Yes' });

describe('confirmInSequence', () => {
  it('should show one prompt at a time and return the choice for each prompt', async () => {
    // given
    const shown: { readonly message: string; answer(yes: boolean): void }[] = [];
    const ask = confirmInSequence(({ message }) => new Promise((resolve) => shown.push({ message, answer: resolve })));
    const [first, second] = [ask(question('1')), ask(question('2'))];
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

  it('should decline the prompts beyond the limit and show later prompts again', async () => {
    let shown = 0;
    let release: () => void = () => undefined;
    const closed = new Promise<void>((resolve) => (release = resolve));
    const ask = confirmInSequence(() => {
      shown += 1;
      return closed.then(() => true);
    });
    const answers = Array.from({ length: 50 }, (_, index) => ask(question(String(index))));
    release();
    expect((await Promise.all(answers)).filter((yes) => yes)).to.have.length(6);
    expect(shown).to.equal(6);
    expect(await ask(question('later'))).to.equal(true);
  });

  it('should show the next prompt after a dialog failed', async () => {
    let fails = true;
    const ask = confirmInSequence(() => (fails ? Promise.reject(new Error('No screen.')) : Promise.resolve(true)));
    const failed = await ask(question('1')).catch((error: Error) => error.message);
    fails = false;
    expect([failed, await ask(question('2'))]).to.deep.equal(['No screen.', true]);
  });
});
