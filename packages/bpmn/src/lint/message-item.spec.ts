import { expect } from 'chai';
import { drawn, saidBy } from './lint.spec.support.js';

const thrown = (message: string, root = '', attributes = '') =>
  drawn(
    ['start > say', 'say > e'],
    `<bpmn:intermediateThrowEvent id="say"><bpmn:messageEventDefinition id="d" messageRef="m" ${attributes}/></bpmn:intermediateThrowEvent>`,
    ['say'],
    `${root}<bpmn:message id="m" name="m" ${message}/>`,
  );
const ITEM = '<bpmn:itemDefinition id="item" structureRef="String"/>';

describe('Lint: message-item', () => {
  it('should report an event whose message declares an item, unless an operation exchanges the message', async () => {
    const operation =
      '<bpmn:interface id="i" name="i"><bpmn:operation id="o" name="o"><bpmn:inMessageRef>m</bpmn:inMessageRef></bpmn:operation></bpmn:interface>';

    expect(await saidBy('message-item', thrown('itemRef="item"', ITEM))).to.deep.equal(['warning say']);
    expect(await saidBy('message-item', thrown('itemRef="item"', ITEM + operation, 'operationRef="o"'))).to.deep.equal(
      [],
    );
    expect(await saidBy('message-item', thrown(''))).to.deep.equal([]);
  });
});
