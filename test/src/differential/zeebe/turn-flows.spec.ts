import { expect } from 'chai';
import { end, file, gateway, pass, scope, start, sub } from '../model-text.js';
import { turnFlows } from './turn-flows.js';

const flowsOf = (xml: string): string[] => [...xml.matchAll(/sequenceFlow id="([^"]+)"/g)].map(([, id = '']) => id);

describe('Differential: the order of flows on Zeebe', () => {
  it('should leave single flows of neighbouring scopes where they are', () => {
    // given
    const model = file({ case: scope([start(), sub('sub', scope([start('s'), end('e')], 's > e'))], 'start > sub') });

    // when
    const turned = turnFlows(model);

    // then
    expect(turned).to.equal(model);
  });

  it('should turn flows round between which other elements stand, each in its scope', () => {
    // given
    const flow = (id: string): string => `<sequenceFlow id="${id}" sourceRef="a" targetRef="b"><x>${id}</x></sequenceFlow>`;
    const model = `<process id="p">${flow('one')}<task id="a"/><sequenceFlow id="two" /><subProcess id="s">${flow('in')}<task id="b"/></subProcess>${flow('three')}</process>`;

    // when
    const turned = turnFlows(model);

    // then
    expect(turned).to.equal(
      `<process id="p">${flow('three')}<task id="a"/><sequenceFlow id="two" /><subProcess id="s">${flow('in')}<task id="b"/></subProcess>${flow('one')}</process>`,
    );
  });

  it('should turn the flows of each scope round, and leave them in it', () => {
    // given
    const inner = scope([start('s'), gateway('exclusive', 'g', 'f'), end('e'), end('f')], 's > g', 'g > e : x > 1', 'g > f');
    const model = file({ case: scope([start(), sub('sub', inner), pass('a'), end()], 'start > sub', 'sub > a', 'a > end') });

    // when
    const turned = turnFlows(model);

    // then
    expect(flowsOf(model)).to.deep.equal(['s-g', 'g-e', 'g-f', 'start-sub', 'sub-a', 'a-end']);
    expect(flowsOf(turned)).to.deep.equal(['g-f', 'g-e', 's-g', 'a-end', 'sub-a', 'start-sub']);
    const tags = (xml: string): string[] => (xml.match(/<[^>]+>/g) ?? []).sort();
    expect(tags(turned)).to.deep.equal(tags(model));
  });
});
