import type { ComponentType } from 'preact';
import { may } from './calls.js';

/** A view of the admin page, a file of its own that is loaded when it is opened. */
export interface View {
  /** In the address, `#/<id>`. */
  readonly id: string;
  readonly title: string;
  /** The methods without which the view is of no use: it is shown to those who may call all of them. */
  readonly needs: readonly string[];
  load(): Promise<ComponentType>;
}

/** The views in the order of the navigation; the first one that the user may see is where they begin. */
const VIEWS: readonly View[] = [
  { id: 'figures', title: 'Figures', needs: ['figures'], load: async () => (await import('./figures/FiguresView.js')).FiguresView },
  { id: 'reports', title: 'Reports', needs: ['reports'], load: async () => (await import('./moderation/ReportsView.js')).ReportsView },
  { id: 'decisions', title: 'Decisions', needs: ['decisions'], load: async () => (await import('./moderation/DecisionsView.js')).DecisionsView },
  { id: 'members', title: 'Members', needs: ['listmembers'], load: async () => (await import('./members/MembersView.js')).MembersView },
  { id: 'invites', title: 'Invites', needs: ['listinvites'], load: async () => (await import('./members/InvitesView.js')).InvitesView },
  { id: 'roles', title: 'Roles', needs: ['createrole'], load: async () => (await import('./members/RolesView.js')).RolesView },
  { id: 'connections', title: 'Connections', needs: ['listconnections'], load: async () => (await import('./operation/ConnectionsView.js')).ConnectionsView },
  { id: 'settings', title: 'Settings', needs: ['listsettings'], load: async () => (await import('./operation/SettingsView.js')).SettingsView },
  { id: 'texts', title: 'Texts', needs: ['changerelayname', 'changerelaydescription', 'changerelayicon'], load: async () => (await import('./operation/TextsView.js')).TextsView },
  { id: 'backups', title: 'Backups', needs: ['listbackups'], load: async () => (await import('./operation/BackupsView.js')).BackupsView },
  { id: 'warnings', title: 'Warnings', needs: ['listwarnings'], load: async () => (await import('./operation/WarningsView.js')).WarningsView },
  { id: 'audit', title: 'Audit log', needs: ['audit'], load: async () => (await import('./moderation/AuditView.js')).AuditView },
];

/** The views that the user may see. */
export function viewsOfUser(): View[] {
  return VIEWS.filter(({ needs }) => may(...needs));
}
