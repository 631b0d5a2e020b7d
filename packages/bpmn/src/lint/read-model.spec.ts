import { expect } from 'chai';
import { buildModel } from './lint.spec.support.js';
import { getElements, getId, type ModdleElement } from '../moddle.js';
import { locateElements, readModel } from './read-model.js';

describe('Lint: reading a BPMN model', () => {
  it('should list the incoming and outgoing flows of each node even if the file omits these elements', async () => {
    const root = await readModel(buildModel(['start > p1', 'p1 > a', 'p1 > b', 'a > e', 'b > e']));

    const [process] = getElements(root, 'rootElements').filter(({ $type }) => $type === 'bpmn:Process');
    const node = (id: string): ModdleElement =>
      getElements(process!, 'flowElements').find((element) => getId(element) === id)!;
    expect(getElements(node('p1'), 'outgoing').map(getId)).to.deep.equal(['p1-a', 'p1-b']);
    expect(getElements(node('e'), 'incoming').map(getId)).to.deep.equal(['a-e', 'b-e']);
  });

  it('should return the position of each element that has an id, and no positions for malformed XML', () => {
    expect(locateElements('<a>\n  <b id="x"/>\r\n<c id="y"/></a>')).to.deep.equal(
      new Map([
        ['x', { line: 2, column: 3 }],
        ['y', { line: 3, column: 1 }],
      ]),
    );
    expect(locateElements('<a>').size).to.equal(0);
  });
});
