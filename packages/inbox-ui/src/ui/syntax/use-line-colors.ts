import { useEffect, useState } from 'react';
import type { LineColors, TextLine } from './color-texts.js';
import type { Language } from './find-language.js';

const NO_COLORS: LineColors = new Map();

interface LoadedColors {
  readonly texts: readonly (readonly TextLine[])[];
  readonly colors: LineColors;
}

/**
 * Returns the colours of the lines of texts: none until they are computed, and none if that fails, because the texts
 * can be read without them.
 *
 * @param texts must be the same array on each render
 */
export function useLineColors(texts: readonly (readonly TextLine[])[], language: Language | undefined): LineColors {
  const [loaded, setLoaded] = useState<LoadedColors>();
  useEffect(() => {
    if (language === undefined) return undefined;
    const abortController = new AbortController();
    void computeColors(texts, language, abortController.signal).then(
      (colors) => {
        if (!abortController.signal.aborted) setLoaded({ texts, colors });
      },
      () => undefined,
    );
    return () => abortController.abort();
  }, [texts, language]);
  return loaded?.texts === texts && language !== undefined ? loaded.colors : NO_COLORS;
}

async function computeColors(
  texts: readonly (readonly TextLine[])[],
  language: Language,
  signal: AbortSignal,
): Promise<LineColors> {
  const [{ loadParser }, { colorTexts }] = await Promise.all([import('./load-parser.js'), import('./color-texts.js')]);
  return colorTexts(await loadParser(language), language, texts, signal);
}
