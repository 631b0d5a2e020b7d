import { expect } from 'chai';
import { buildModel, lint } from './lint.spec.support.js';

/** Builds a model whose splits and joins overlap, so that its net cannot be reduced. */
function buildTangledModel(size: number): string {
  const arrows = ['start > p0'];
  for (let index = 0; index < size; index += 1) {
    const [p, x] = [`p${index}`, `x${index}`];
    arrows.push(
      `${p} > ${x}`,
      `${p} > p${((index * 7 + 3) % size) + size}`,
      `${x} > p${index + 1 === size ? 2 * size : index + 1}`,
      `${x} > p${((index * 11 + 5) % size) + size}: =v${index}`,
    );
  }
  for (let index = size; index < 2 * size; index += 1) arrows.push(`p${index} > p${2 * size}`);
  return buildModel([...new Set(arrows), `p${2 * size} > e`]);
}

describe('lintWorkflows', () => {
  it('should report nothing for a valid BPMN model', async () => {
    expect(
      await lint(
        buildModel(['start > p1', 'p1 > a', 'p1 > b', 'a > p2', 'b > p2', 'p2 > x1', 'x1 > c: =v', 'x1 > e', 'c > e']),
      ),
    ).to.deep.equal([]);
  });

  it('should report that a scope is too large to be analyzed', async () => {
    const findings = await lint(buildTangledModel(400));

    expect(findings.map(({ rule, severity, elementId }) => `${rule} ${severity} ${elementId ?? ''}`)).to.include(
      'not-judged info process',
    );
    expect(findings.filter(({ rule }) => rule === 'never-joins')).to.deep.equal([]);
  });

  it('should report the number of findings beyond the limit of 200', async () => {
    const gateways = Array.from({ length: 220 }, (_, index) => [
      `x${index} > x${index + 1}: =a${index}`,
      `x${index} > e: =b${index}`,
    ]).flat();
    const findings = await lint(buildModel(['start > x0', ...gateways, 'x220 > e']));

    expect(findings).to.have.length(201);
    expect(findings.at(-1)).to.deep.include({ rule: 'not-listed', severity: 'info', elementId: null });
    expect(findings.at(-1)?.message).to.contain('20 more findings');
  });
});
