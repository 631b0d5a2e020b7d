import type { ElementInstance, RunState } from '@countersign/model';
import { expect } from 'chai';
import { listOpenWork } from './open-work.js';

const createInstance = (key: number, instance: Partial<ElementInstance>): ElementInstance => ({
  key,
  stepId: `step-${key}`,
  elementId: 'element',
  parent: null,
  enteredSeq: 1,
  enteredAt: 0,
  iteration: 1,
  attempt: 1,
  ...instance,
});

describe('listOpenWork()', () => {
  it('should return the jobs and timers of all open steps, but no other waits', () => {
    const timer = {
      kind: 'timer',
      elementId: 'e',
      since: 0,
      timerId: 'timer',
      purpose: 'event',
      dueAt: 5_000,
    } as const;
    const signal = { kind: 'signal', elementId: 'e', since: 0, subscriptionId: 's', signalName: 'n' } as const;
    const instances: RunState['instances'] = {
      1: createInstance(1, {}),
      2: createInstance(2, { waits: [{ kind: 'job', jobId: 'job', jobType: 'ship', retries: 3 }, timer, signal] }),
      3: createInstance(3, {
        attempt: 2,
        waits: [{ kind: 'job', jobId: 'retried', jobType: 'ship', retries: 1, backoffUntil: 9_000 }],
      }),
      4: createInstance(4, {
        attempt: 7,
        waits: [{ kind: 'job', jobId: 'call', jobType: 'agent', retries: 1, callId: 'c', attempt: 2 }],
      }),
    };

    expect(listOpenWork({ instances })).to.deep.equal({
      jobs: [
        { jobId: 'job', jobType: 'ship', attempt: 1, startsAt: null },
        { jobId: 'retried', jobType: 'ship', attempt: 2, startsAt: 9_000 },
        { jobId: 'call', jobType: 'agent', attempt: 2, startsAt: null },
      ],
      timers: [{ timerId: 'timer', dueAt: 5_000 }],
    });
  });
});
