import { expect } from 'chai';
import { setImmediate } from 'node:timers/promises';
import { runWithGracePeriod } from './run-with-grace-period.js';

describe('runWithGracePeriod()', () => {
  const never = new Promise<void>(() => undefined);

  it('should not wait for the grace period if all work is done', async () => {
    const tasks = ['a', 'b'].map((key) => [key, () => Promise.resolve(key)] as const);
    expect(await runWithGracePeriod(tasks, () => never)).to.deep.equal({ results: ['a', 'b'], unfinished: new Map() });
  });

  it('should start the next work while earlier work is slow, and return the results in start order', async () => {
    // given
    const started: string[] = [];
    let finish = (_result: string): void => undefined;
    const slow = new Promise<string>((resolve) => (finish = resolve));
    const tasks = [
      ['slow', () => (started.push('slow'), slow)],
      ['quick', () => (started.push('quick'), Promise.resolve('quick'))],
    ] as const;

    // when
    const resultPromise = runWithGracePeriod(tasks, () => never);
    while (started.length < 2) await setImmediate();
    finish('slow');

    // then
    expect((await resultPromise).results).to.deep.equal(['slow', 'quick']);
  });

  it('should return unfinished work separately after the grace period', async () => {
    // given
    let finish = (_result: string): void => undefined;
    const slow = new Promise<string>((resolve) => (finish = resolve));

    // when
    const { results, unfinished } = await runWithGracePeriod(
      [
        ['slow', () => slow],
        ['quick', () => Promise.resolve('quick')],
      ],
      () => setImmediate(),
    );

    // then
    expect(results).to.deep.equal(['quick']);
    expect([...unfinished.keys()]).to.deep.equal(['slow']);
    finish('done');
    expect(await unfinished.get('slow')).to.equal('done');
  });
});
