import type { Step } from '@countersign/contract';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useRunAddress } from './use-run-address.js';

/** Short enough for links, and long enough that a held key does not flood the browser history. */
const REST_MS = 200;

export interface StepChoice {
  readonly element: string | undefined;
  readonly step: string | undefined;
  chooseStep(stepId: string): void;
  chooseElement(elementId: string | undefined): void;
}

interface Chosen {
  readonly element: string | undefined;
  readonly step: string | undefined;
}

/**
 * Synchronises the selection: a step in the tree selects its element on the diagram, and an element selects its last
 * step.
 */
export function useStepChoice(steps: readonly Step[]): StepChoice {
  const [address, change] = useRunAddress();
  const [chosen, setChosen] = useState<Chosen>(() => {
    const step = steps.find(({ stepId }) => stepId === address.step);
    return { element: step?.elementId ?? address.element, step: step?.stepId ?? lastOf(steps, address.element) };
  });
  const latest = useRef(steps);
  latest.current = steps;

  useEffect(() => {
    if (chosen.element === address.element) return undefined;
    const timer = setTimeout(() => change({ element: chosen.element }), REST_MS);
    return () => clearTimeout(timer);
  }, [chosen.element, address.element, change]);

  return useMemo(
    () => ({
      ...chosen,
      chooseStep: (stepId) =>
        setChosen({ step: stepId, element: latest.current.find((each) => each.stepId === stepId)?.elementId }),
      chooseElement: (element) => setChosen({ element, step: lastOf(latest.current, element) }),
    }),
    [chosen],
  );
}

function lastOf(steps: readonly Step[], elementId: string | undefined): string | undefined {
  return elementId === undefined ? undefined : steps.findLast((step) => step.elementId === elementId)?.stepId;
}
