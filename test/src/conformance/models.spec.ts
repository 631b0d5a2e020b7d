import { expect } from 'chai';
import { SET_TIMEOUT_MS } from './conformance.spec.support.js';
import { readMaterial, explainMissingMaterial } from './material.js';
import { compareWithPins, listPinnableResults, readPins } from './pins.js';
import { runConstraints, runExchanged } from './run-models.js';

const missingReason = explainMissingMaterial();

describe('Conformance: invalid models and models of other tools', function () {
  this.timeout(SET_TIMEOUT_MS);
  if (missingReason !== undefined) {
    it.skip(`(${missingReason})`);
    return;
  }
  const material = readMaterial();

  it('should refuse or flag models that break a rule, except as pinned', async () => {
    const constraints = await runConstraints(material);
    const differences = compareWithPins(readPins(), listPinnableResults({ traced: [], steps: [], constraints }));
    expect(differences, differences.join('\n')).to.deep.equal([]);
  });

  it('should deploy models of other tools or refuse them with reasons', async () => {
    const wrong = (await runExchanged(material)).filter(({ verdict }) => verdict === 'wrong');
    expect(wrong).to.deep.equal([]);
  });
});
