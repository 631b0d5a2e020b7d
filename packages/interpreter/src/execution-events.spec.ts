import { expect } from 'chai';
import type { Execution } from './execution.js';

describe('types of Execution.emit', () => {
  it('should compile only with data that matches the event type', () => {
    const types: unknown[] = [];
    const emit = ((...emitArguments: unknown[]): unknown => types.push(emitArguments[0])) as Execution['emit'];

    emit('run.failed', null, { code: 'gone' });
    emit('message.awaited', null, { subscriptionId: 's', messageName: 'paid' }, { correlationKey: 'k' });
    emit('step.started', null, {
      name: null,
      type: 'task',
      enteredSeq: 1,
      iteration: 1,
      attempt: 1,
      agentName: null,
      via: null,
    });
    // @ts-expect-error: unknown event type
    emit('run.faild', null, { code: 'gone' });
    // @ts-expect-error: the code is missing
    emit('run.failed', null, {});
    // @ts-expect-error: unknown property
    emit('run.failed', null, { code: 'gone', reason: 'none' });
    // @ts-expect-error: the private data is missing
    emit('message.awaited', null, { subscriptionId: 's', messageName: 'paid' });
    // @ts-expect-error: the event has no private data
    emit('run.failed', null, { code: 'gone' }, { message: 'The run failed.' });

    expect(types).to.have.lengthOf(8);
  });
});
