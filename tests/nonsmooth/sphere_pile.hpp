// A cubic packing of spheres on the ground: contacts of many, sparse, with a known sum of impulses.
#pragma once

#include <Eigen/Dense>
#include <array>
#include <vector>

#include "daedal/nonsmooth/contact_matrix.hpp"
#include "nonsmooth/laws.hpp"

namespace daedal::nonsmooth::test {

struct SpherePile {
  SpherePile(int width, int height, unsigned seed = 1) {
    Random random(seed);
    const auto at = [=](int i, int j, int k) { return (k * width + j) * width + i; };
    for (int k = 0; k < height; ++k) {
      for (int j = 0; j < width; ++j) {
        for (int i = 0; i < width; ++i) {
          mass.push_back(random.number(0.8, 1.2));
          add(k > 0 ? at(i, j, k - 1) : -1, at(i, j, k), Eigen::Vector3d::UnitZ());
          if (i > 0) add(at(i - 1, j, k), at(i, j, k), Eigen::Vector3d::UnitX());
          if (j > 0) add(at(i, j - 1, k), at(i, j, k), Eigen::Vector3d::UnitY());
        }
      }
    }
    velocity = 0.1 * gravity_step * random.vector(6 * static_cast<int>(mass.size()));
    for (std::size_t b = 0; b < mass.size(); ++b) velocity[6 * b + 2] -= gravity_step;
    q = VectorXd(3 * contacts.size());
    for (std::size_t c = 0; c < contacts.size(); ++c) {
      q.segment<3>(3 * c).setZero();
      for (const int side : {0, 1}) {
        const int body = contacts[c].body[side];
        if (body >= 0) q.segment<3>(3 * c) += contacts[c].H[side] * velocity.segment<6>(6 * body);
      }
    }
    fill(W);
  }

  void fill(ContactMatrix& matrix) const {
    matrix.clear(3);
    for (const Contact& row : contacts) {
      matrix.add_row();
      for (const int c : neighbours(row)) {
        auto block = matrix.add_block(c);
        for (const int i : {0, 1}) {
          for (const int j : {0, 1}) {
            const int body = row.body[i];
            if (body < 0 || body != contacts[c].body[j]) continue;
            const double inverse = 1.0 / mass[body], turn = inverse / (0.4 * radius * radius);
            Eigen::Matrix<double, 6, 1> d;
            d << inverse, inverse, inverse, turn, turn, turn;
            block += row.H[i] * d.asDiagonal() * contacts[c].H[j].transpose();
          }
        }
      }
    }
  }

  /// The contact of a sphere of the lowest layer with the ground.
  int ground(int body) const { return of_body[body].front(); }

  double radius = 0.5;
  double gravity_step = 9.81e-2;  // velocity that gravity adds in a step
  std::vector<double> mass;
  VectorXd velocity;
  ContactMatrix W;
  VectorXd q;

 private:
  struct Contact {
    std::array<int, 2> body;
    std::array<Eigen::Matrix<double, 3, 6>, 2> H;  // (normal, tangents) of a body's velocity
  };

  void add(int lower, int upper, const Eigen::Vector3d& normal) {
    Eigen::Matrix3d frame;  // rows: normal, tangents
    frame.row(0) = normal;
    frame.row(1) = Eigen::Vector3d(normal[1], normal[2], normal[0]);
    frame.row(2) = normal.cross(Eigen::Vector3d(frame.row(1)));
    Contact contact{{lower, upper}, {}};
    for (const int side : {0, 1}) {
      const Eigen::Vector3d arm = (side == 0 ? radius : -radius) * normal;
      Eigen::Matrix3d cross;
      cross << 0, -arm[2], arm[1], arm[2], 0, -arm[0], -arm[1], arm[0], 0;
      contact.H[side] << frame, -frame * cross;
      if (side == 0) contact.H[side] *= -1.0;
    }
    const int number = static_cast<int>(contacts.size());
    of_body.resize(mass.size());
    for (const int body : contact.body) {
      if (body >= 0) of_body[body].push_back(number);
    }
    contacts.push_back(contact);
  }

  std::vector<int> neighbours(const Contact& contact) const {
    std::vector<int> all;
    for (const int body : contact.body) {
      if (body >= 0) all.insert(all.end(), of_body[body].begin(), of_body[body].end());
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }

  std::vector<Contact> contacts;
  std::vector<std::vector<int>> of_body;
};

}  // namespace daedal::nonsmooth::test
