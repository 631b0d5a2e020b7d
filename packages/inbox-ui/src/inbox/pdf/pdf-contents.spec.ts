import { expect } from 'chai';
import { omitLayers } from './omit-layers.js';
import { countShownPages, getMaxShare, isHiddenAnnotation, type PdfContents } from './pdf-contents.js';

const contents: PdfContents = {
  pageCount: 2,
  attachmentCount: 0,
  hiddenLayerCount: 0,
  annotationCount: 0,
  hasScripts: true,
  hasDynamicForm: false,
};

describe('inbox: the contents of a PDF', () => {
  it('should be shown completely if everything in it is displayed', () => {
    expect(getMaxShare(contents)).to.equal(1);
  });

  it('should not be shown completely if some of it is not displayed', () => {
    const incomplete: readonly Partial<PdfContents>[] = [
      { attachmentCount: 1 },
      { hiddenLayerCount: 1 },
      { annotationCount: 1 },
      { hasDynamicForm: true },
    ];
    for (const each of incomplete) expect(getMaxShare({ ...contents, ...each }), JSON.stringify(each)).to.equal(0.99);
  });

  it('should be shown up to the share of the displayed pages', () => {
    expect(countShownPages({ pageCount: 250 })).to.equal(200);
    expect(getMaxShare({ ...contents, pageCount: 250 })).to.equal(0.8);
    expect(getMaxShare({ ...contents, pageCount: 250, attachmentCount: 1 })).to.equal(0.8);
    expect(getMaxShare({ ...contents, pageCount: 0 })).to.equal(0);
  });

  it('should include annotations only if they have more than they show', () => {
    const annotations = [
      { subtype: 'Text', contentsObj: { str: 'A remark' } },
      { subtype: 'Highlight', contentsObj: { str: ' ' } },
      { subtype: 'FreeText', contentsObj: { str: 'Shown' } },
      { subtype: 'Link', contentsObj: { str: 'A link' } },
      { subtype: 'FileAttachment' },
      { subtype: 'Widget', hidden: true },
      { subtype: 'Popup', contentsObj: { str: 'A remark' } },
      null,
    ];
    expect(annotations.map(isHiddenAnnotation)).to.deep.equal([true, false, false, false, true, true, false, false]);
  });

  it('should have the texts that belong to no layer', () => {
    const items = [
      { str: 'a' },
      { type: 'beginMarkedContentProps', tag: 'OC' },
      { str: 'b' },
      { type: 'beginMarkedContent', tag: 'P' },
      { str: 'c' },
      { type: 'endMarkedContent' },
      { str: 'd' },
      { type: 'endMarkedContent' },
      { type: 'beginMarkedContent', tag: 'P' },
      { str: 'e' },
      { type: 'endMarkedContent' },
    ];
    expect(omitLayers(items)).to.deep.equal([{ str: 'a' }, { str: 'e' }]);
  });
});
