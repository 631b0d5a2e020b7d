import { expect } from 'chai';
import { explainMissingMaterial } from '../conformance/material.js';
import { singleProcessCase } from './case.js';
import { CONFORMANCE_PREFIX } from './cases/conformance.js';
import { CASES } from './cases/index.js';
import { end, scope, start } from './model-text.js';
import { caseDigest, RECORDING, findRecordedResponse } from './recorded-responses.js';

describe('Differential: the recorded responses', () => {
  const changedCase = singleProcessCase('one', scope([start(), end()], 'start > end'));
  const recording = {
    ...RECORDING,
    responses: { one: { input: caseDigest(changedCase), response: { refused: true } as const } },
  };

  it('should be returned for an unchanged case', () => {
    expect(findRecordedResponse(changedCase, recording)).to.deep.equal({ refused: true });
  });

  it('should throw for a case that changed after its recording', () => {
    const steps = [...changedCase.steps, { advance: 'PT1S' }];
    expect(() => findRecordedResponse({ ...changedCase, steps }, recording)).to.throw('not the case any more');
  });

  it('should throw for a case without a recording', () => {
    expect(() => findRecordedResponse({ ...changedCase, id: 'two' }, recording)).to.throw('no response');
  });

  it('should exist for every case and for no other case', () => {
    // given
    const isAvailable = (id: string): boolean =>
      explainMissingMaterial() === undefined || !id.startsWith(CONFORMANCE_PREFIX);

    // then
    for (const each of CASES) expect(() => findRecordedResponse(each), each.id).not.to.throw();
    expect(Object.keys(RECORDING.responses).filter(isAvailable)).to.have.members(CASES.map(({ id }) => id));
  });
});
