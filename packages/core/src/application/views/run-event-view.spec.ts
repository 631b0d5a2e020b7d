import type { RunEvent } from '@countersign/model';
import { expect } from 'chai';
import type { Change } from '../../ports/storage.js';
import { serializeChange, toRunEventView } from './run-event-view.js';

describe('toRunEventView()', () => {
  const event: RunEvent = {
    seq: 1,
    at: Date.UTC(2026, 0, 2),
    type: 'run.cancel_requested',
    stepId: null,
    elementId: null,
    data: { personDigests: { actor: 'digest' } },
    private: {
      actor: { type: 'user', id: 'ada', name: null },
      reason: 'no longer needed',
      personSalts: { actor: 's' },
    },
    salt: 'salt',
    commitment: 'commitment',
    previousHash: '0',
    hash: '1',
  };

  it('should merge the data with the private part, without the digests of people', () => {
    expect(toRunEventView(event)).to.deep.include({
      version: 1,
      actor: 'ada',
      data: { reason: 'no longer needed' },
      erased: false,
    });
  });

  it('should return the version that the data states', () => {
    expect(toRunEventView({ ...event, data: { eventVersion: 2 } })).to.deep.include({
      version: 2,
      data: { reason: 'no longer needed' },
    });
  });
});

describe('serializeChange()', () => {
  const change: Change = {
    runId: '01a2030c-ba17-7acc-9fd3-5e425291ad1d',
    workflowId: 'release',
    parentRunId: null,
    type: 'step.started',
    seq: 3,
    at: Date.UTC(2026, 0, 2),
    stepId: null,
    elementId: '"quoted"\n',
    dataText: '{"name": "a\\"b", "list": [null]}',
  };

  it('should return the change as JSON with its data text unchanged', () => {
    const { dataText, ...rest } = change;

    expect(JSON.parse(serializeChange(change))).to.deep.equal({
      ...rest,
      at: '2026-01-02T00:00:00.000Z',
      data: { name: 'a"b', list: [null] },
    });
    expect(serializeChange(change)).to.include(dataText);
  });

  it('should contain no line break, because a server-sent event has one line of data', () => {
    expect(serializeChange(change)).not.to.match(/[\r\n]/);
  });
});
