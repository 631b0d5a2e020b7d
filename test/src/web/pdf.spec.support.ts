/** A page of a PDF. */
export interface PdfPageSource {
  readonly lines?: readonly string[];
  /** Operators that follow the lines. */
  readonly operators?: string;
  /** Further entries of the page. */
  readonly entries?: string;
  /** Further resources of the page. */
  readonly resources?: string;
  /** Further fonts of the page; `F1` is Helvetica. */
  readonly fonts?: string;
}

interface PdfSource {
  readonly pages: readonly PdfPageSource[];
  /** Further entries of the catalog. */
  readonly catalog?: string;
  /** Further objects, which start with the number 100. */
  readonly objects?: readonly string[];
  /** Further entries of the trailer. */
  readonly trailer?: string;
}

/**
 * Writes a PDF (ISO 32000-1) with pages in A4, in the standard font Helvetica. Each character of the sources is one byte.
 */
export function createPdf({ pages, catalog = '', objects = [], trailer = '' }: PdfSource): Uint8Array<ArrayBuffer> {
  const numbered = new Map<number, string>([
    [1, `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`],
    [
      2,
      `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, index) => `${1_000 + 2 * index} 0 R`).join(' ')}] >>`,
    ],
    [3, '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>'],
  ]);
  objects.forEach((object, index) => numbered.set(100 + index, object));
  pages.forEach(({ lines = [], operators = '', entries = '', resources = '', fonts = '' }, index) => {
    const text = lines.map((line) => `(${line.replace(/[\\()]/g, '\\$&')}) Tj T*`).join('\n');
    const content = `BT /F1 24 Tf 30 TL 60 760 Td\n${text}\nET\n${operators}`;
    numbered.set(
      1_000 + 2 * index,
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R ${fonts} >> ${resources} >> /Contents ${1_001 + 2 * index} 0 R ${entries} >>`,
    );
    numbered.set(1_001 + 2 * index, `<< /Length ${content.length} >>\nstream\n${content}\nendstream`);
  });
  let file = '%PDF-1.7\n';
  const sections: string[] = [];
  for (const [number, object] of numbered) {
    sections.push(`${number} 1\n${String(file.length).padStart(10, '0')} 00000 n \n`);
    file += `${number} 0 obj\n${object}\nendobj\n`;
  }
  const start = file.length;
  file += `xref\n0 1\n0000000000 65535 f \n${sections.join('')}trailer\n<< /Size ${Math.max(...numbered.keys()) + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`;
  return Uint8Array.from(file, (character) => character.charCodeAt(0));
}

/** A PDF with two pages. */
export const INVOICE = createPdf({
  pages: [{ lines: ['Invoice 4711', 'Contoso Paper Ltd', 'Total: 76.10 EUR'] }, { lines: ['Terms', 'Pay in 30 days'] }],
});

/** A PDF with a script that runs when it opens, an attachment, a layer that is not displayed, and a comment. */
export const PDF_WITH_MORE = createPdf({
  pages: [
    {
      lines: ['Shown text'],
      operators: '/OC /Hidden BDC BT /F1 24 Tf 60 600 Td (Hidden text) Tj ET EMC',
      resources: '/Properties << /Hidden 101 0 R >>',
      entries:
        '/Annots [<< /Type /Annot /Subtype /Text /Rect [400 700 420 720] /Contents (A remark) >> << /Type /Annot /Subtype /Link /Rect [60 750 300 790] /Border [0 0 1] /A << /S /URI /URI (https://example.org/) >> >>]',
    },
  ],
  catalog:
    '/OpenAction << /S /JavaScript /JS (app.alert\\("ran"\\); fetch\\("/ran"\\)) >> /Names << /JavaScript << /Names [(a) << /S /JavaScript /JS (app.alert\\("ran"\\)) >>] >> /EmbeddedFiles << /Names [(data.xml) 102 0 R] >> >> /OCProperties << /OCGs [101 0 R] /D << /OFF [101 0 R] /Order [101 0 R] >> >>',
  objects: [
    '<< /Unused true >>',
    '<< /Type /OCG /Name (Hidden) >>',
    '<< /Type /Filespec /F (data.xml) /UF (data.xml) /EF << /F 103 0 R >> >>',
    '<< /Type /EmbeddedFile /Length 4 >>\nstream\n<a/>\nendstream',
  ],
});
