import { expect } from 'chai';
import { computeDiagramLayout } from './diagram-layout.js';

const bounds = (x: number, y: number, width: number, height: number): string =>
  `<bpmndi:BPMNShape id="s${x}"><dc:Bounds x="${x}" y="${y}" width="${width}" height="${height}" /></bpmndi:BPMNShape>`;

describe('computeDiagramLayout', () => {
  it('should place a wide diagram above its details, with its aspect ratio', () => {
    expect(computeDiagramLayout(bounds(100, 100, 36, 36) + bounds(864, 80, 136, 220))).to.deep.equal({
      'data-above': true,
      'style': { '--cs-ratio': 4.09 },
    });
  });

  it('should place a diagram that is narrow, small or unmeasurable beside its details', () => {
    for (const xml of [
      bounds(0, 0, 1000, 800),
      bounds(0, 0, 400, 80),
      '<a/>',
      bounds(Number.NaN, 0, 1000, 10),
      '<dc:Bounds x="1" />',
    ])
      expect(computeDiagramLayout(xml)['data-above']).to.equal(false);
  });
});
