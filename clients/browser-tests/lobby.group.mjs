// What the lobby shows. The first ones count what is in it, and the last ones leave something there.
import './lists.test.mjs';
import './ratings.test.mjs';
import './several-games.test.mjs';
import './jester-page.test.mjs';
import './faults.test.mjs';
import './jester-clients.test.mjs';
