import { expect } from 'chai';
import { catchEvent, signal, ROOTS, throwEvent, within } from './events.spec.support.js';
import { flow, job, model, nodeOf, refusalsOf } from './models.spec.support.js';

function link(name: string, references = '', id = ''): string {
  return `<bpmn:linkEventDefinition ${id === '' ? '' : `id="${id}"`} name="${name}">${references}</bpmn:linkEventDefinition>`;
}

/** start → t (throws) … c (catches) → a → end */
function linked(throwing: string, catching: string, more = ''): string {
  return model(
    `<bpmn:startEvent id="start"/>${throwEvent('t', throwing)}${catchEvent('c', catching)}${job('a')}<bpmn:endEvent id="end"/>
    ${flow('start', 't')}${flow('c', 'a')}${flow('a', 'end')}${more}`,
    ROOTS,
  );
}

describe('link events', () => {
  it('should lead from the throw event to the catch event of the same name', async () => {
    const xml = linked(link('go'), link(' go '));
    expect((await nodeOf(xml, 't', 'linkThrow')).targetId).to.equal('c');
    expect((await nodeOf(xml, 'c', 'passTask')).type).to.equal('intermediateCatchEvent');
  });

  it('should lead from several throw events to one catch event', async () => {
    const other = throwEvent('u', link('go')) + flow('start', 'u');
    expect((await nodeOf(linked(link('go'), link('go'), other), 'u', 'linkThrow')).targetId).to.equal('c');
  });

  it('should accept source and target references that match the link names', async () => {
    const xml = linked(
      link('go', '<bpmn:target>lc</bpmn:target>', 'lt'),
      link('go', '<bpmn:source>lt</bpmn:source>', 'lc'),
    );
    expect((await nodeOf(xml, 't', 'linkThrow')).targetId).to.equal('c');
  });

  const second = catchEvent('d', link('go')) + flow('d', 'end');
  const inside = `<bpmn:startEvent id="i"/>${throwEvent('deep', link('go'))}<bpmn:endEvent id="o"/>${flow('i', 'deep')}`;
  const broken: readonly (readonly [string, string, string])[] = [
    ['a link throw event without a catch event', linked(link('go'), link('come')), 't missing_link_target'],
    ['a link catch event without a throw event', linked(link('go'), link('come')), 'c missing_link_source'],
    ['a link without a name', linked(link(''), link('go')), 't missing_value'],
    ['two catch events for one link', linked(link('go'), link('go'), second), 'd duplicate_link'],
    [
      'a link across scopes',
      linked(link('go'), link('go'), within('subProcess', 's', inside) + flow('a', 's') + flow('s', 'end')),
      'deep missing_link_target',
    ],
    [
      'a target reference to a link with another name',
      linked(
        link('go', '<bpmn:target>ld</bpmn:target>'),
        link('go'),
        throwEvent('u', link('x')) + flow('start', 'u') + catchEvent('d', link('x', '', 'ld')) + flow('d', 'end'),
      ),
      't link_mismatch',
    ],
    [
      'a source reference to a link with another name',
      linked(
        link('go'),
        link('go', '<bpmn:source>lu</bpmn:source>'),
        throwEvent('u', link('x', '', 'lu')) + flow('start', 'u') + catchEvent('d', link('x')) + flow('d', 'end'),
      ),
      'c link_mismatch',
    ],
    ['a flow out of the throw event', linked(link('go'), link('go'), flow('t', 'a')), 't unexpected_outgoing'],
    ['a flow into the catch event', linked(link('go'), link('go'), flow('a', 'c')), 'c unexpected_incoming'],
    [
      'a throw event without an incoming flow',
      linked(link('go'), link('go')).replace(flow('start', 't'), flow('start', 'a')),
      't missing_incoming',
    ],
    [
      'a catch event without an outgoing flow',
      linked(link('go'), link('go')).replace(flow('c', 'a'), ''),
      'c missing_outgoing',
    ],
    ['a link with a second event definition', linked(link('go') + signal('alarm'), link('go')), 't impossible_event'],
  ];
  for (const [what, xml, refusal] of broken) {
    it(`should refuse ${what}`, async () => {
      expect(await refusalsOf(xml)).to.include(refusal);
    });
  }
});
