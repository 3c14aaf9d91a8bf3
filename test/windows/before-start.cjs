'use strict';

// Wine 8 cannot connect a socket whose keep-alive was set before.
require('node:net').Socket.prototype.setKeepAlive = function () {
  return this;
};
