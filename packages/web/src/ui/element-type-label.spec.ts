import { expect } from 'chai';
import { getElementTypeLabel } from './element-type-label.js';

describe('getElementTypeLabel', () => {
  it('should convert BPMN types to words', () => {
    expect(
      ['bpmn:ServiceTask', 'intermediateCatchEvent', 'bpmn:Process', 'multiInstanceBody'].map(getElementTypeLabel),
    ).to.deep.equal(['Service task', 'Intermediate catch event', 'Process', 'Multi-instance body']);
  });

  it('should return the local name of other types unchanged', () => {
    expect(['acme:Robot', 'constructor', ''].map(getElementTypeLabel)).to.deep.equal(['Robot', 'constructor', '']);
  });
});
