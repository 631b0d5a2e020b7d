import { useContext, useEffect, useState } from 'react';
import { ColorBudget, ColorBudgetContext, UNLIMITED_SHARE, type ColorShare } from './color-budget.js';
import type { LineColors, SourceText } from './color-texts.js';
import type { Language } from './find-language.js';

const NO_COLORS: LineColors = new Map();

interface LoadedColors {
  readonly texts: readonly SourceText[];
  readonly colors: LineColors;
}

/**
 * Returns the colours of the lines of texts: none until they are computed, and none if that fails, because the texts
 * can be read without them.
 *
 * @param texts must be the same array on each render
 * @param isVirtual whether only the visible lines are in the document, so that colours need no budget
 */
export function useLineColors(
  texts: readonly SourceText[],
  language: Language | undefined,
  isVirtual = false,
): LineColors {
  const [loaded, setLoaded] = useState<LoadedColors>();
  const sharedBudget = useContext(ColorBudgetContext);
  useEffect(() => {
    if (language === undefined) return undefined;
    const abortController = new AbortController();
    const budget = sharedBudget ?? new ColorBudget();
    const share = isVirtual ? UNLIMITED_SHARE : budget.openShare();
    const compute = () => computeColors(texts, language, abortController.signal, share);
    void (isVirtual ? compute() : budget.run(compute)).then(
      (colors) => {
        if (!abortController.signal.aborted) setLoaded({ texts, colors });
      },
      () => undefined,
    );
    return () => {
      abortController.abort();
      share.release();
    };
  }, [texts, language, isVirtual, sharedBudget]);
  return loaded?.texts === texts && language !== undefined ? loaded.colors : NO_COLORS;
}

async function computeColors(
  texts: readonly SourceText[],
  language: Language,
  signal: AbortSignal,
  share: ColorShare,
): Promise<LineColors> {
  if (signal.aborted) return NO_COLORS;
  const [{ loadParser }, { colorTexts }] = await Promise.all([import('./load-parser.js'), import('./color-texts.js')]);
  return colorTexts(await loadParser(language), language, texts, signal, share);
}
