import { Absences } from '../application/absences.js';
import { definePlugin } from '../host/define-plugin.js';

/** Out of office: absent approvers and their substitutes. Requires storage. */
export const absencesPlugin = definePlugin({
  id: 'core:absences',
  register({ bindDefault }) {
    bindDefault(Absences, Absences);
  },
});
