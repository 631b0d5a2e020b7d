import { useSession } from '@countersign/inbox-ui/session/session';
import { useEffect, useState, useSyncExternalStore, type ComponentType } from 'react';
import { useLocation } from 'react-router';
import {
  getStoredProgress,
  parseProgress,
  subscribeToFirstSteps,
  type FirstStepsProgress,
} from './first-steps-store.js';
import { useIsEmpty } from './use-is-empty.js';

type Content = ComponentType<{ readonly progress: FirstStepsProgress | undefined }>;

let loadedContent: Content | undefined;

/**
 * Guides new users from an empty system to the evidence of a first run. Its content is loaded only on an empty system,
 * and while the first steps are in progress.
 */
export function FirstSteps() {
  const { me } = useSession();
  const { pathname } = useLocation();
  const progress = parseProgress(useSyncExternalStore(subscribeToFirstSteps, getStoredProgress));
  const isEmpty = useIsEmpty(pathname, progress === undefined && me.may.startRun);
  const isShown = progress?.kind === 'run' || isEmpty;
  const [Content, setContent] = useState(() => loadedContent);
  useEffect(() => {
    if (!isShown || loadedContent !== undefined) return;
    // Without its code, the page works as usual.
    void import('./first-steps-content.js').then(
      (module) => {
        loadedContent = module.FirstStepsContent;
        setContent(() => loadedContent);
      },
      () => undefined,
    );
  }, [isShown]);
  return isShown && Content !== undefined ? <Content progress={progress} /> : null;
}
