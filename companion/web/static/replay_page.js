// A game played here, ply by ply.

import { get } from "./api.js";
import { byId } from "./dom.js";
import { replay } from "./replay.js";
import { attempt } from "./widgets.js";

const game = byId("replay-page").dataset.game;
const state = await attempt(() => get(`/api/games/${game}`));
if (state) replay(state, (number) => get(`/api/games/${game}?ply=${number}`));
