import { expect } from 'chai';
import type { Change } from '../../ports/storage.js';
import { serializeChange } from './run-event-view.js';

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
