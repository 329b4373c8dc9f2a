"""Tests of where buffers die."""
