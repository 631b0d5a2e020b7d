import { expect } from 'chai';
import { explainMissingMaterial } from '../conformance/material.js';
import { singleProcessCase } from './case.js';
import { CONFORMANCE_PREFIX } from './cases/conformance.js';
import { CASES } from './cases/index.js';
import { end, scope, start } from './model-text.js';
import { computeCaseDigest, RECORDING, findRecordedResponse } from './recorded-responses.js';

describe('findRecordedResponse', () => {
  const recordedCase = singleProcessCase('one', scope([start(), end()], 'start > end'));
  const recording = {
    ...RECORDING,
    responses: { one: { input: computeCaseDigest(recordedCase), response: { refused: true } as const } },
  };

  it('should return the response of an unchanged case', () => {
    expect(findRecordedResponse(recordedCase, recording)).to.deep.equal({ refused: true });
  });

  it('should throw for a case that changed after its recording', () => {
    const steps = [...recordedCase.steps, { advance: 'PT1S' }];
    expect(() => findRecordedResponse({ ...recordedCase, steps }, recording)).to.throw('has changed since');
  });

  it('should throw for a case without a recording', () => {
    expect(() => findRecordedResponse({ ...recordedCase, id: 'two' }, recording)).to.throw('no response');
  });

  it('should have a recorded response for every case and no other responses', () => {
    // given
    const isAvailable = (id: string): boolean =>
      explainMissingMaterial() === undefined || !id.startsWith(CONFORMANCE_PREFIX);

    // then
    for (const each of CASES) expect(() => findRecordedResponse(each), each.id).not.to.throw();
    expect(Object.keys(RECORDING.responses).filter(isAvailable)).to.have.members(CASES.map(({ id }) => id));
  });
});
