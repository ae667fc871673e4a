/** What the browser can do (Web Notifications, https://notifications.spec.whatwg.org/). */

/** Whether pages themselves can notify. Chrome on Android has the interface, but leaves it to service workers. */
export function canNotify(): boolean {
  if (!('Notification' in window)) {
    return false;
  } else if (Notification.permission === 'granted') {
    return true;
  }
  try {
    new Notification(''); // shows nothing without the permission
    return true;
  } catch {
    return false;
  }
}

/** Whether the user has given the permission, and not taken it back. */
export function isPermitted(): boolean {
  return 'Notification' in window && Notification.permission === 'granted';
}
